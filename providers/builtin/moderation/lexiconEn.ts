/**
 * English lexicon, with the Latin spelling of the commonest Russian obscenities. Names and plain words
 * that are also slang (Dick, cock, fagot, ecstasy, heroine) are left out on purpose: a false alarm on them
 * is more frequent than a find. Checked against a dictionary of 104,000 words.
 */
import type { Lexicon } from './lexicon.ts';

export const ENGLISH_LEXICON: Lexicon = {
  entries: [
    {
      category: 'profanity',
      level: 'high',
      words: [
        '.*fuck.*', 'm[ou]therfuk.*', 'fu(?:k|c|q)(?:k?ing?|ker|kers|ked)', 'fcuk.*', 'cunt(?:s|y|ing|ish)?', 'cocksuck.*', 'nigg(?:er|ers|a|as|az)', 'faggot(?:s|y|ry)?',
        'blya(?:t|d).*', 'bliat.*', 'pizd(?:a|ec|ets|u|y).*', '(?:na|po|ni|do)?(?:kh|x)u[yi](?:nya|nia|lo|a)?', '(?:na|po)huy', 'huyn(?:ya|ia)', '(?:dolbo|za|na|vy|ot|u)?(?:yeb|eb)(?:at|al|an)(?:i|a|o|u|y|yi|ko|k)', '(?:dolbo)(?:yeb|eb).*',
      ],
    },
    {
      category: 'profanity',
      level: 'medium',
      words: [
        '(?:bull|horse|dip|holy|ape|bat|chicken|dog)?shit(?:s|ty|tier|ted|ter|ters|ting|head|heads|hole|holes|show|storm|faced|load|bag)?', '(?:dumb|jack|bad|smart|hard|fat|lazy|punk|candy)?ass(?:hole|holes|hat|hats|wipe|wipes|clown|clowns)', '(?:dumb|jack|smart)ass(?:es)?', 'arsehole(?:s)?',
        'bitch(?:es|y|ing|ed|in)?', 'sonofabitch', 'slut(?:s|ty)?', 'whore(?:s|house|d)?', 'dick(?:head|heads|wad|bag)', 'wank(?:er|ers|ing|s)?', 'twat(?:s)?', 'prick(?:s)?head', 'mudak(?:i)?', 'cyka', 'suka', 'pidor(?:as)?', 'gandon',
      ],
    },
    {
      category: 'profanity',
      level: 'low',
      words: ['ass(?:es)?', 'badass(?:es)?', 'arse(?:s)?', 'piss(?:ed|ing|es|off)?', 'bastard(?:s|ly)?', 'bollocks', 'goddamn(?:ed|it)?', 'crap(?:py|pier)?', 'douche(?:bag|bags)', 'bugger(?:off)?'],
    },
    {
      category: 'sexual',
      level: 'high',
      words: ['porn(?:o|os|ography|ographic|ographer|ographers|hub|star|stars|s|y|site|sites|video|videos)?', 'blowjob(?:s)?', 'handjob(?:s)?', 'cumshot(?:s)?', 'gangbang.*', 'hentai', 'incest.*', 'p(?:a)?edophil.*', 'bestiality', 'rap(?:e|ed|es|ist|ists|ing)', 'deepthroat.*', 'creampie(?:s)?', 'milf(?:s)?', 'fellatio', 'cunnilingus', 'xxx'],
    },
    {
      category: 'sexual',
      level: 'medium',
      words: ['masturbat.*', 'orgasm.*', 'ejaculat.*', 'erotic(?:a|ally|ism|s)?', 'prostitut.*', 'dildo(?:s|es)?', 'vibrators', 'anal', 'tits', 'titties', 'boob(?:s|ies)', 'pussy', 'pussies', 'penis(?:es)?', 'vagina(?:s|l)?', 'clitoris', 'horny', 'bdsm', 'striptease(?:s)?', 'stripper(?:s)?', 'brothel(?:s)?', 'nudes', 'boner(?:s)?'],
    },
    { category: 'sexual', level: 'low', words: ['sex', 'sexy', 'sexual(?:ly|ity)?', 'nude', 'nudity', 'naked(?:ness)?', 'lingerie', 'onlyfans', 'nsfw'] },
    {
      category: 'violence',
      level: 'high',
      words: ['behead(?:s|ed|ing|ings)?', 'decapitat.*', 'dismember(?:s|ed|ing|ment)?', 'disembowel.*', 'cannibal.*', 'mutilat.*', 'bloodbath(?:s)?', 'lynch(?:ed|ing|ings)'],
    },
    {
      category: 'violence',
      level: 'medium',
      words: ['murder(?:s|ed|er|ers|ing|ous)?', 'homicid.*', 'massacre(?:s|d)?', 'tortur(?:e|ed|es|er|ers|ing)', 'terroris(?:t|ts|m)', 'genocid.*', 'stab(?:bed|bing|bings|s)', 'slaughter(?:ed|ing|s)?', 'strangl(?:e|ed|es|ing|er)', 'executioner(?:s)?', 'gunned'],
    },
    { category: 'violence', level: 'low', words: ['kill(?:s|ed|er|ers|ing|ings)?', 'bomb(?:ed|ing|ings|ings|er|ers|s)?', 'gunshot(?:s)?', 'bloody', 'bloodshed', 'corpse(?:s)?', 'brawl(?:s|ing)?', 'warfare'] },
    {
      category: 'drugs',
      level: 'high',
      words: ['cocaine', 'heroin', '(?:crystal)?meth', 'methamphetamine(?:s)?', 'amphetamine(?:s)?', 'mephedrone', 'fentanyl', 'crackhead(?:s)?', 'mdma', 'ketamine', 'geroin', 'kokain', 'mefedron'],
    },
    { category: 'drugs', level: 'medium', words: ['marijuana', 'cannabis', 'hashish', 'opium', 'opioid(?:s)?', 'opiate(?:s)?', 'morphine', 'lsd', 'psilocybin', 'narcotic(?:s)?', 'junkie(?:s)?', 'stoner(?:s)?', 'ayahuasca'] },
    { category: 'drugs', level: 'low', words: ['hookah(?:s)?', 'vap(?:ing|er|ers)', 'bong(?:s)?', 'hemp'] },
    { category: 'self_harm', level: 'high', words: ['suicid(?:e|es|al|ally)', 'self-?harm(?:ing|ed)?', 'unalive'] },
    { category: 'self_harm', level: 'medium', words: ['anorexi(?:a|c)', 'bulimi(?:a|c)'] },
  ],
  phrases: [
    {
      category: 'self_harm',
      level: 'high',
      phrases: [['kill(?:ing|ed)?', '(?:myself|yourself|himself|herself|themselves)'], ['hang(?:ing|ed)?', '(?:myself|yourself|himself|herself)'], ['end(?:ing|ed)?', '(?:my|his|her)', '(?:own)?life'], ['cut(?:ting)?', '(?:my|your|his|her)', 'wrists?'], ['slit', '(?:my|your|his|her)', 'wrists?'], ['want', 'to', 'die'], ['self', 'harm(?:ing)?'], ['cutting', 'myself']],
    },
    { category: 'drugs', level: 'high', phrases: [['drug', '(?:dealers?|dealing|traffick.*|lords?|cartels?)'], ['crack', 'cocaine'], ['crystal', 'meth']] },
    { category: 'drugs', level: 'medium', phrases: [['drug', '(?:addicts?|addiction|abuse)'], ['smok(?:e|ing|ed)', '(?:weed|pot)'], ['magic', 'mushrooms']] },
    { category: 'violence', level: 'high', phrases: [['mass', '(?:shootings?|murders?|murderers?|shooters?)'], ['school', '(?:shootings?|shooters?)'], ['beat(?:en)?', 'to', 'death'], ['cut', 'off', '(?:his|her|their)', 'heads?']] },
    { category: 'sexual', level: 'high', phrases: [['child', 'porn.*'], ['(?:oral|anal|group)', 'sex'], ['blow', 'jobs?'], ['hand', 'jobs?']] },
    { category: 'sexual', level: 'medium', phrases: [['sex', '(?:toys?|tapes?|workers?|shops?)'], ['escort', 'services?'], ['strip', 'clubs?']] },
    { category: 'profanity', level: 'medium', phrases: [['son', 'of', 'a', 'bitch'], ['piece', 'of', 'shit']] },
  ],
  masked: [
    { category: 'profanity', level: 'high', words: ['fuck', 'fucks', 'fucker', 'fuckers', 'fucked', 'fucking', 'motherfucker', 'motherfuckers', 'cunt', 'cunts', 'nigger', 'niggers', 'nigga', 'faggot'] },
    { category: 'profanity', level: 'medium', words: ['shit', 'shitty', 'bullshit', 'bitch', 'bitches', 'asshole', 'assholes', 'whore', 'whores', 'slut', 'sluts'] },
    { category: 'sexual', level: 'high', words: ['porn', 'porno'] },
    { category: 'drugs', level: 'high', words: ['cocaine', 'heroin'] },
    { category: 'self_harm', level: 'high', words: ['suicide'] },
  ],
};
