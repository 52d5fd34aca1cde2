import { expect, it } from '@jest/globals';
import { isRefusalInProse } from '../../../../providers/openai/chat/refusal.ts';

it.each([
  "I'm sorry, I can't help with that.",
  'I’m sorry, but I can’t assist with that request.',
  'I cannot summarize this content because it is explicit.',
  "Sorry, I won't describe this image.",
  'I apologize, but I am not able to provide a summary of this material.',
  "I'm unable to assist with this.",
  "I can't describe images that show minors in such situations.",
  'Unfortunately, I must decline to process this text.',
  "**I can't comply with this request.** It goes against my guidelines.",
  '<think>Is that allowed?</think>\n\nI cannot help with that.',
  'Извините, но я не могу помочь с этим.',
  'К сожалению, я не могу выполнить этот запрос: материал нарушает правила.',
  'Я не буду описывать это изображение.',
  'Простите, не могу обсуждать эту тему.',
  '抱歉，我无法提供相关内容。',
  '你好，这个问题我暂时无法回答，让我们换个话题再聊聊吧。',
])('%j is a refusal', (text) => expect(isRefusalInProse(text)).toBe(true));

it.each([
  '',
  'It is sunny.',
  'The author says: "I cannot help with that."',
  "I can't help falling in love with you, sings the tram driver.",
  "I'm sorry, I can't see any image in your message.",
  'I am unable to view pictures.',
  "I'm sorry, but I can't analyze images directly.",
  'К сожалению, я не могу открыть изображение.',
  'I cannot help with that, but here is a summary: {"title": "Weather"}',
  `I cannot help with that. ${'But the story goes on. '.repeat(100)}`,
  'Трамвай мой, трамвай, не могу помочь тебе.',
])('%j is none', (text) => expect(isRefusalInProse(text)).toBe(false));
