/**
 * Function words of Russian and English. They carry grammar and not the subject, so they never become tags and never
 * link sentences. Folded forms (lower case, ё as е).
 */

const RUSSIAN = `
а без безо благодаря более больше будем будет будете будешь буду будут бы был была были было быть в вам вами вас ваш
ваша ваше вашего вашей ваши вашу вдруг ведь весь вместо вниз во вокруг вообще вот впрочем все всегда всего всей всем всеми всему
всех всю вся всякий вы где говорят да давай давайте даже дальше для до довольно должен должна должно должны другая другие
других другого другое другой другом его ее ей ему если есть еще ею ж же за зачем здесь и из изо или им именно ими
иногда их к каждая каждое каждый каждые каждого каждой каждом как какая какие каким каких какого какое какой какую кем когда кого
ко ком кому конечно который которая которое которые которого которой котором которому которую которых которым которыми кроме
кто куда ли либо лишь лучше любая любого любое любой любые между меня мне много многие многих мной мною мог могла могли могу
могут мое моего моей может можем можете можно мои моим моих мой моя мы на навсегда над надо наконец нам нами нас наш наша
наше нашего нашей нашем наши нашим наших нашу не него нее ней нельзя нем немного нему несколько нет ни нибудь никакой никогда никто
ним ними них ничего ничто но ну нужен нужна нужно нужны о об обо оба один одна одни одним одних одно одного одной одном
однако оказывается он она они оно опять особенно от ото отчего очень перед по пока под пор после потом потому почему почти
прежде при причем про просто против пусть разве раз с сам сама сами самая самого самое самой самом само самый самые самых себе
себя сегодня сейчас скажем сказать сказал со совсем спустя среди так такая также такие таким таких такого такое такой там
твои твой твоя те тебе тебя тем теми теперь тех то тобой того тоже той только том тому тот тою тут ту ты
у уж уже хорошо хоть хотя чего чей чем чему через что чтобы чуть чье чья эта эти этим этими этих это этого этой
этом этому этот эту я является являются являлся стал стала стали стать становится например затем итак поэтому вследствие
весьма вполне снова первый первая первое первые лет год года году годов
`;

const ENGLISH = `
a about above across after afterwards again against all almost alone along already also although always am among an and another any
anyone anything are aren't around as at back be became because been before being below between both but by can can't cannot could
couldn't did didn't do does doesn't doing don't done down during each either else enough etc even ever every everyone everything
few for from further get gets getting give go goes going gone got had hadn't has hasn't have haven't having he he's her here
hers herself him himself his how however i i'd i'll i'm i've if in indeed instead into is isn't it it's its itself just keep kept
know known last least less let let's like made make makes making many may maybe me might mine more moreover most much must my myself
neither never no nobody none nor not nothing now of off often on once one only onto or other others our ours ourselves out
over own perhaps per put quite rather really said same say says see seem seemed seems several shall she she's should shouldn't since
so some someone something sometimes still such take taken than that that's the their theirs them themselves then there there's therefore
these they they're this those through throughout thus to together too toward towards two under until up upon us use used uses using
very via want wants was wasn't way we we're well were weren't what what's whatever when where whether which while who whoever
whole whom whose why will with within without won't would wouldn't yes yet you you're your yours yourself yourselves
`;

/** The function words of each language alone, for language detection. */
export const STOP_WORDS = {
  ru: new Set(RUSSIAN.split(/\s+/).filter(Boolean)),
  en: new Set(ENGLISH.split(/\s+/).filter(Boolean)),
} as const;

/** Returns whether a word is a Russian or English function word, whichever apostrophe it has ("don’t"). */
export function isStopWord(folded: string): boolean {
  return STOP_WORDS.ru.has(folded) || STOP_WORDS.en.has(folded.replaceAll('’', "'"));
}
