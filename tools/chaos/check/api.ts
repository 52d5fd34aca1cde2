/** Repeats the comparison over the API for some items: an integrator must read what was written. */
import type { ExpectedItem } from '../load/expected.ts';
import type { CheckContext } from './context.ts';

const SAMPLE = 25;

export async function checkApi({ sender, expected, projects, findings }: CheckContext): Promise<void> {
  const inPath = [...expected.items.values()].filter(({ id }) => /^[A-Za-z0-9._:-]+$/.test(id));
  for (const item of sampleEvenly(inPath)) {
    const detail = await sender.read<{ title: string; status: string; deleted: boolean }>(
      projects[item.project],
      `/items/${item.id}`,
    );
    findings.countCompared('items by the API', 1);
    if (
      !detail ||
      detail.title !== item.content.title ||
      detail.deleted !== item.deleted ||
      !isAsExpected(item, detail.status)
    ) {
      findings.add('lost', `GET /items/${item.id} answers ${JSON.stringify(detail)?.slice(0, 200)}`);
    }
  }
  for (const person of sampleEvenly(expected.people)) {
    const profile = await sender.read<{ city: string }>(projects.main, `/users/profile?user_id=${person.userId}`);
    findings.countCompared('profiles by the API', 1);
    if (person.isDeleted && profile)
      findings.add('lost', `the profile of ${person.userId} can still be read after its deletion`);
    if (!person.isDeleted && profile?.city !== person.city)
      findings.add('lost', `the profile of ${person.userId} has the city ${profile?.city}`);
  }
}

function isAsExpected({ deleted }: ExpectedItem, status: string): boolean {
  return deleted || status === 'ready';
}

/** Returns elements at even intervals, including the newest. */
function sampleEvenly<T>(list: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(list.length / SAMPLE));
  return list.filter((_, index) => (list.length - 1 - index) % step === 0);
}
