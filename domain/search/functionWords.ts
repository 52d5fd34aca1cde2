/**
 * Words of a query that connect others or ask a question: results need not contain them, unless there are no others.
 */
const WORDS = `
и а но или в во на с со для о об обо по из от до за к ко у при под над без про не ни ли же бы как что это где когда куда
какой какая какое какие чем чтобы если то так же мой моя мое мои свой
the a an and or of for in to on at by with from as is are be was were it this that how what where when which who why do does
my your i you can
`;

const FUNCTION_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ''));

/** Returns true for such a word. @param word folded */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}
