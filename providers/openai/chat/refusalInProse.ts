/**
 * Recognises a refusal that a model writes as its answer. OpenAI's models have a field for refusals; most others say so
 * in prose, in the language of the material or in their own.
 */

/** A longer text does more than refuse. */
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
const NO_PICTURES = String.raw`\b(?:images|pictures|photos|files)\b(?! (?:that|of|with|which|containing|depicting|showing))`;
const NO_ACCESS = String.raw`\b(?:see|view|access|open|find|receive|hear)\b`;
const RUSSIAN_NO_ACCESS = String.raw`(?<!\p{L})(?:увид|видеть|вижу|откры|просмотр|посмотр|найти|получ)`;
const CANNOT_PERCEIVE = new RegExp(`^[^.!?\\n]{0,100}(?:${NO_PICTURES}|${NO_ACCESS}|${RUSSIAN_NO_ACCESS})`, 'iu');

/** A reason outside the content is given near the beginning. */
const REASON_CHARACTERS = 300;

/** The model, or a gateway in front of it, cannot do it now, or not with so much or so little text. */
const OTHER_REASONS = [
  /\b(?:busy|overload\w*|unavailable|temporar\w+|timed out|time-?out|later|right now|at (?:the|this) (?:moment|time))\b/iu,
  /\b(?:high (?:demand|load|traffic)|at capacity|maintenance|(?:server|internal|technical|network) (?:error|issue|problem|difficult)\w*)/iu,
  /\b(?:quota|too many tokens|context (?:window|length|size)|(?:rate|token|usage|request|length|size|character|context) limit)/iu,
  /\blimits? (?:(?:was|were|is|has been|have been) )?(?:reached|exceeded|hit)\b|\bexceed\w* (?:\w+ ){0,3}(?:limit|length|size|maximum)/iu,
  /\btoo (?:long|large|big|short|many)\b|\bso long\b/iu,
  /\bno (?:\w+ )?(?:text|content|material|transcript|input|article|document)\b|\bempty\b/iu,
  /(?:\bnot|n['’]t) (?:been |yet |actually )?(?:provided|supplied|given|attached|included|sent)\b/iu,
  /\b(?:do|does|did)(?: not|n['’]t) (?:provide|include|attach|contain)\b|\btry again\b(?! with)/iu,
  /(?<!\p{L})(?:перегру[жз]|занят[аоы]?(?!\p{L})|позже|позднее|временно|сейчас|в данный момент|недоступ|лимит|превы[шс])/iu,
  /(?<!\p{L})(?:техническ\p{L}+ (?:причин|сбо|ошиб|неполад|проблем|работ)|ошибк\p{L}+ сервер|контекстн\p{L}+ окн)/iu,
  /(?<!\p{L})слишком (?:длинн|больш|объ[её]мн|велик|много|коротк)/iu,
  /(?<!\p{L})(?:не (?:был[аои]? )?(?:предоставлен|предоставил|приложен|приложил|передан|прислан|прислал|указан)|отсутству)/iu,
  /(?<!\p{L})(?:повторите|попробуйте (?:снова|ещ[её] раз))/iu,
  /(?<!\p{L})(?:нет (?:\p{L}+ )?текста|пуст(?:ой|ое|ая|ые)?(?!\p{L}))/iu,
  /繁忙|过载|稍后再试|太长|过长/u,
];

/**
 * Returns true for a short text that begins with a refusal to do what was asked. Texts that contain an object, or give
 * a reason outside the content (the model sees nothing, the server is busy, the text is too long), are not refusals:
 * another attempt, or an operator, may help.
 */
export function isRefusalInProse(text: string): boolean {
  const said = text.split('</think>').at(-1) ?? '';
  const start = said.replace(/^[^\p{L}]+/u, '');
  if (start.length > MAX_CHARACTERS || start.includes('{')) return false;
  if (!REFUSALS.some((refusal) => refusal.test(start)) || CANNOT_PERCEIVE.test(start)) return false;
  const reason = start.slice(0, REASON_CHARACTERS);
  return !OTHER_REASONS.some((other) => other.test(reason));
}
