/** Shows the player with transcript and frames, each of which seeks to its moment. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Item } from '../../../../data/items/items.ts';
import { SelectField } from '../../../../ui/choices/SelectField.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { Chapters } from './Chapters.tsx';
import { Frames } from './Frames.tsx';
import type { Moment } from './placesToOpen.ts';
import { Player, type PlayerHandle } from './Player.tsx';
import { Transcript } from './Transcript.tsx';
import styles from './MediumView.module.css';

const PAGE = { from: '/shell/p/$project/items/$item' } as const;

interface Props {
  item: Item;
  /** The moment selected elsewhere on the page. */
  moment: Moment | null;
}

export function MediumView({ item, moment }: Props) {
  const { medium: chosen = 0 } = useSearch(PAGE);
  const medium = item.media.find(({ position }) => position === chosen) ?? item.media[0];
  const player = useRef<PlayerHandle>(null);
  const [time, setTime] = useState(0);
  const view = useRef<HTMLDivElement>(null);
  useSeekToMoment(moment, medium?.position, (seconds) => {
    view.current?.scrollIntoView({ block: 'start' });
    if (seconds !== null) player.current?.seek(seconds);
  });
  if (!medium) return null;
  const { position, kind } = medium;
  const transcript = item.transcript?.find((one) => one.media_position === position);
  const frames = item.frames?.filter((frame) => frame.media_position === position) ?? [];
  const chapters = item.summary?.chapters?.filter((chapter) => chapter.media_position === position) ?? [];
  const seek = (seconds: number): void => player.current?.seek(seconds);
  return (
    <div ref={view} className={styles.view}>
      {item.media.length > 1 && <MediumChoice item={item} chosen={position} />}
      <div className={styles.stage} data-kind={kind}>
        <Player key={position} ref={player} medium={medium} frames={frames} onTime={setTime} />
        {kind !== 'image' && <Transcript item={item} transcript={transcript} time={time} onSeek={seek} />}
      </div>
      {chapters.length > 0 && (
        <Chapters chapters={chapters} language={item.summary?.language ?? ''} time={time} onSeek={seek} />
      )}
      {kind === 'video' && frames.length > 0 && <Frames frames={frames} state={item.updated_at} onSeek={seek} />}
    </div>
  );
}

/** Selects the medium of a moment, and seeks once the medium is loaded: once for each moment. */
function useSeekToMoment(
  moment: Moment | null,
  shown: number | undefined,
  open: (seconds: number | null) => void,
): void {
  const select = useSelectMedium();
  const opened = useRef<Moment | null>(null);
  useEffect(() => {
    if (moment === null || moment === opened.current) return;
    if (moment.position !== shown) return select(moment.position);
    opened.current = moment;
    open(moment.seconds);
  });
}

function useSelectMedium(): (position: number) => void {
  const params = useParams(PAGE);
  const navigate = useNavigate();
  return (position) =>
    void navigate({
      to: '/p/$project/items/$item',
      params,
      search: position === 0 ? {} : { medium: position },
      replace: true,
      resetScroll: false,
    });
}

function MediumChoice({ item, chosen }: { item: Item; chosen: number }) {
  const words = useWords();
  const select = useSelectMedium();
  const options = item.media.map(({ position, kind }) => ({
    value: String(position),
    text: `${words.item.medium(position + 1)} · ${words.types[kind]}`,
  }));
  return (
    <SelectField
      label={words.item.medium(chosen + 1)}
      value={String(chosen)}
      options={options}
      onChange={(value) => select(Number(value))}
    />
  );
}
