/** Requests recommendations, whose responses must follow the rules whatever has been killed. */
import type { Life, LivesDeps } from './lives.ts';

interface OutputAnswer {
  recommendation_id: string;
  mode: string;
  items: { id: string; position: number }[];
}

const LIMIT = 50;

/** @throws in the life, when a response shows an item that was deleted or withdrawn before the request was sent */
export function createOutputLife({ expected, sender, targets, baseItems }: LivesDeps): Life {
  return async (_n, random) => {
    const subject = baseItems[random.below(baseItems.length)] ?? '';
    const gone = [...expected.items].filter(([, item]) => item.isGone).map(([key]) => key);
    const answer = await sender.read<OutputAnswer>(targets.main, '/recommendations/similar', {
      item: subject,
      limit: LIMIT,
    });
    const shown = new Set(answer?.items.map(({ id }) => `main/${id}`));
    const wrong = gone.filter((key) => shown.has(key));
    if (wrong.length > 0 || shown.has(`main/${subject}`))
      throw new Error(
        `${answer?.recommendation_id} (${answer?.mode}) shows what is gone: ${wrong.join(', ') || subject}`,
      );
  };
}
