/** English words that do not describe the subject of a text, in their dictionary forms. */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Measures, parts, times, people in general. */
export const COMMON_NOUNS = words(`
year month week day hour minute second morning evening night afternoon today tomorrow yesterday weekend weekday time moment
period date century decade season spring summer autumn fall winter monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
kilogram gram metre meter kilometre kilometer mile inch foot litre liter degree percent per cent pound dollar euro thousand million
billion dozen hundred couple pair piece part half quarter third share end start beginning middle front back side top bottom edge
place case way kind sort type form thing stuff lot bit number amount size level range rest set group list item
someone ninety tenth trio tenner pinch mash multiply people person man woman guy somebody nobody anybody anyone everyone everybody something anything everything nothing friend colleague author member reader viewer user beginner
life world name word question answer reason result point fact idea thought problem issue matter example step stage
use need help work job order process role chance option choice difference detail feature quality
hand head eye face voice mind heart word tip advice decision generation sentence cause story
show episode chapter page section video article post news review guide lesson topic subject channel
spoonful handful plan price cost sense mix mess deal course line title section door window table
`);

/** Nouns that may be the subject with a noun before them, but not alone. */
export const VAGUE_ALONE = words(`
line system method level effect mode pass number area centre center office form room house company service project centre
leader record research researcher supplier setting return award account rate life ground record path card data image
report condition state project program programme food
`);

/** Adjectives that judge, compare or count; they name no kind of thing. */
export const COMMON_ADJECTIVES = words(`
new old good bad great big small large little long short high low first second third last next other same different own
many much few more most several some any all whole full empty main important easy hard difficult simple free open close
early late young best better worse worst right wrong true real sure able available possible necessary certain clear
nice fine happy sad fresh warm cold hot cool dry wet clean dirty heavy light dark bright strong weak fast slow quick
special general common usual normal similar recent current future past final total extra single double only enough
local public private short-term long-term various certain dead alive tiny huge massive beautiful favourite favorite brilliant
cheap expensive soft loud quiet smooth firm exciting interesting two-year higher lower longer shorter larger smaller irregular
less mere former latter entire safe unnamed distant adult
`);
