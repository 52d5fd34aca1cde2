/**
 * Frequent words of the languages most easily confused with Russian or English: they show that a text is neither. Words
 * that are also Russian or English are left out of the Cyrillic list, and given less weight by the detector in the
 * Latin one.
 */

/** Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian, Kazakh, Kyrgyz, Tatar, Mongolian. */
const CYRILLIC = `
та що це як його але вже або щоб якщо коли про бути було була були є від також який яка яке які цього цей ця ці дуже ще тільки
потрібно можна після між через через під час року роки людей своє свої
гэта што як але каб яго калі вельмі былі быў была таксама пра ад якія які яна яны мы толькі трэба
се е са съм си това този тази тези които който която което за от със през след като при че ще не няма има беше бяха може много
най още само обаче или когато къде защо както всички българия без към тя ние вие също срещу тук този техните неговата
je сам смо сте су који која које што није био била било као али или када само још све овај ова ово тај та то треба може
во на со од до по за се го ја ги му како што дека беше има нема кој која кое овој оваа ова многу но или ќе бидат
мен бен және үшін бар жоқ емес деп осы сол бұл ол мен сен біз олар туралы кейін дейін болып табылады еді екен болды
жана менен үчүн бул ошол эмес деген алар биз болгон эле бирок
һәм белән өчен бу ул бар юк түгел дип иде инде аның
нь байна энэ тэр болон юм бол гэж дээр хийх байсан
`;

/**
 * German, French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Turkish, Swedish, Romanian, Finnish, Indonesian,
 * Vietnamese without marks.
 */
const LATIN = `
der die das und ist nicht ich sie wir ein eine einer einen einem eines mit von dem den des auf im sich auch es wird sind haben hat
war aus bei nach wie oder aber noch nur wenn kann werden durch zum zur uns ihr sein seine mehr sehr hier heute diese dieser
le la les un une des du de et est pas que qui dans pour sur avec ce cette ces son ses sa au aux ne nous vous ils elle elles sont
par plus mais ou comme tout tous bien fait peut il je mon ma mes leur leurs aussi avoir
el los las una unos y es no por con para se su sus lo como pero muy hay ser este esta estos estas del al mi si ya
cuando donde porque desde hasta entre todo todos tiene han sin sobre
il lo gli di che non per una sono con del della dei delle nel nella alla dal come anche ma questo questa ho hai ha
essere molto dove quando tutti tutto suo sua
o os um uma do da dos das em no na nos nas que nao com para por mais mas foi seu sua ao aos ele ela isso esta tem muito voce
het een van en niet dat zijn op te met voor er maar om ook als bij nog wel naar uit wordt worden deze heeft hebben kan geen
w z na do nie sie jest to ze jak ale od po przez dla czy tak byl byla tego jego juz tylko moze ktory
v ve na se ze je to ale jako jsem jsou byl byla pro pri nebo kdyz tak jen
bir ve bu da de ile ne mi mu icin gibi daha olarak olan var yok degil cok ben sen biz kadar sonra her ama
och att det som en ett av den till med inte om jag har de var men sig vi kan ska eller fran nu dig mig
si nu ca la cu pe din mai care este sunt un o au fost sa pentru de
ja on ei se en oli mutta kun niin ovat ole tai hän sen joka myös kuin
yang dan di ini itu dengan untuk tidak dari dalam akan pada juga saya ke karena bisa ada oleh atau mereka kami
`;

/** Also Russian, hence no evidence against it. */
const RUSSIAN_TOO = `мы много может или когда про была было через само но со во ее мен час сам все бар людей има года за от на не
по без до при то та те после след эле ул му го бол е был ним он`;

/** Also frequent in English, hence no evidence against it. */
const ENGLISH_TOO = 'me so for has us we her be he at by my if will war men ten all an';

function words(list: string, except: string): ReadonlySet<string> {
  const excluded = new Set(except.split(/\s+/));
  return new Set(list.split(/\s+/).filter((word) => word !== '' && !excluded.has(word)));
}

export const OTHER_CYRILLIC_WORDS = words(CYRILLIC, RUSSIAN_TOO);
export const OTHER_LATIN_WORDS = words(LATIN, ENGLISH_TOO);
