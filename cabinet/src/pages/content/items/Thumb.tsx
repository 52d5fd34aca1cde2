import { AudioLines, FileText, Image, Layers, Video, type LucideIcon } from 'lucide-react';
import type { ListedItem } from '../../../data/items/items.ts';
import { StableImage } from '../../../ui/layout/StableImage.tsx';
import styles from './Thumb.module.css';

const ICONS: Record<ListedItem['type'], LucideIcon> = {
  video: Video,
  audio: AudioLines,
  image: Image,
  text: FileText,
  mixed: Layers,
};

/** Shows a picture of an item; an icon of its type if there is none, and an empty place until it is loaded. */
export function Thumb({ item }: { item: ListedItem | undefined }) {
  return <span className={styles.thumb}>{item && <ThumbImage item={item} />}</span>;
}

function ThumbImage({ item: { type, thumb_url: url, updated_at: state } }: { item: ListedItem }) {
  const Icon = ICONS[type];
  if (url === null) return <Icon aria-hidden size={20} />;
  return <StableImage src={url} state={state} className={styles.image} />;
}
