/**
 * Recognises a refusal that a model writes as its answer. OpenAI's models have a field for refusals; most others say so
 * in prose, in the language of the material or in their own.
 */

/** A longer text tells or explains something. */
const MAX_CHARACTERS = 1_000;

const APOLOGY = String.raw`(?:(?:(?:i['’]?m|i am|we['’]?re|we are) (?:\w+ )?(?:sorry|afraid)|sorry|my apologies|i (?:\w+ )?apologi[sz]e|unfortunately|as an ai)\b[^.!?\n]{0,60}?)?`;
const DECLINES = String.raw`\b(?:i|we)(?: am|['’]m| are|['’]re)? (?:can(?:no|['’])?t|can not|won['’]?t|will not|unable to|not able to|not comfortable|must (?:\w+ )?(?:decline|refuse)|(?:have to|need to) (?:decline|refuse)|decline to|refuse to)\b`;
const SERVICE = String.raw`[^.!?\n]{0,40}?\b(?:help(?! \w+ing\b)|assist|comply|fulfil|provid|process|summar|describ|analy[sz]|respond|answer|discuss|engag|continu|complet|support|creat|generat|produc|identif|participat|shar|writ|do (?:that|this|so))`;

/** In JavaScript \b does not know Cyrillic letters. */
const RUSSIAN_APOLOGY = String.raw`(?:(?:извини|прости|прошу прощения|к сожалению|сожалею|мне (?:очень )?жаль|как ии)[^.!?\n]{0,60}?)?`;
const RUSSIAN_DECLINES = String.raw`(?<!\p{L})не (?:могу|можем|буду|смогу|имею возможности|в состоянии)(?!\p{L})`;
const RUSSIAN_SERVICE = String.raw`[^.!?\n]{0,40}?(?<!\p{L})(?:помо|выполн|опис|обсужд|предостав|обработ|обрабат|ответ|отвеч|созда|сгенерир|продолж|суммир|пересказ|кратко|анализир|проанализир|написать|писать|сделать|делать|участв)`;

const REFUSALS = [
  new RegExp(`^${APOLOGY}${DECLINES}${SERVICE}`, 'iu'),
  new RegExp(`^${RUSSIAN_APOLOGY}(?:я )?${RUSSIAN_DECLINES}${RUSSIAN_SERVICE}`, 'iu'),
  /^[^。！？\n]{0,20}(?:无法|不能|不便)[^。！？\n]{0,8}(?:回答|提供|协助|帮助|满足|讨论|处理|继续|完成|描述|总结)/u,
];
/** The model cannot do it with any content: it reads no pictures, or received none. */
const CANNOT_PERCEIVE =
  /^[^.!?\n]{0,100}(?:\b(?:images|pictures|photos|files)\b(?! (?:that|of|with|which|containing|depicting|showing))|\b(?:see|view|access|open|find|receive|hear)\b|(?<!\p{L})(?:увид|видеть|вижу|откры|просмотр|посмотр|найти|получ))/iu;

/**
 * Returns true for a short text that begins with a refusal to do what was asked. Texts that contain an object, or say
 * that the model sees nothing, are none.
 */
export function isRefusalInProse(text: string): boolean {
  const said = text.split('</think>').at(-1) ?? '';
  const start = said.replace(/^[^\p{L}]+/u, '');
  if (start.length > MAX_CHARACTERS || start.includes('{')) return false;
  return REFUSALS.some((refusal) => refusal.test(start)) && !CANNOT_PERCEIVE.test(start);
}
