import { Bars } from '../../../../charts/Bars.tsx';
import type { cabinet } from '../../../../data/client.ts';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';

/** Explains the parts of a score in words and bars, the largest first. */
export function Explanation({ explain }: { explain: cabinet.OutputExplanation }) {
  const { lab } = useWords();
  const { number, moment } = useFormat();
  const { parts = {}, cosine, relevance, factor, published_at: published } = explain;
  const said = [
    ...Object.entries(parts).flatMap(([key, value]) => (typeof value === 'number' ? [{ key, value }] : [])),
    ...(cosine === undefined ? [] : [{ key: 'cosine', value: cosine }]),
    ...(relevance === undefined ? [] : [{ key: 'relevance', value: relevance }]),
  ].toSorted((a, b) => b.value - a.value);
  const names: Readonly<Record<string, string>> = { ...lab.parts, cosine: lab.cosine, relevance: lab.relevance };
  return (
    <>
      {said.length > 0 && (
        <>
          <Hint>{lab.partsAbout}</Hint>
          <Bars
            title={lab.partsAbout}
            bars={said.map(({ key, value }) => ({ key, value, label: names[key] ?? key }))}
            format={(value) => number(Number(value.toFixed(3)))}
          />
        </>
      )}
      {published !== undefined && <Hint>{lab.published(moment(published))}</Hint>}
      {factor !== undefined && <Hint>{lab.factor(number(Number(factor.toFixed(3))))}</Hint>}
    </>
  );
}
