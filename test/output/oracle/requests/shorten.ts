/** Finds the shortest request that still shows a fault: fields and elements are left out one by one. */
import type { Body } from './asked.ts';

/** @param isFaulty sends the body, and reports whether the rule is still broken */
export async function shorten(body: Body, isFaulty: (shorter: Body) => Promise<boolean>): Promise<Body> {
  for (const shorter of shorterThan(body)) if (await isFaulty(shorter)) return shorten(shorter, isFaulty);
  return body;
}

function shorterThan(body: Body): Body[] {
  return Object.entries(body).flatMap(([field, value]): Body[] => {
    const { [field]: _gone, ...others } = body;
    const lists =
      Array.isArray(value) && value.length > 1
        ? value.map((_one, at) => value.filter((_other, other) => other !== at))
        : [];
    return [others, ...lists.map((list) => ({ ...body, [field]: list }))];
  });
}
