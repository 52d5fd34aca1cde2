import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import {
  favouritesQuery,
  pathOf,
  refreshRecordings,
  type Recording,
  type RecordingIds,
} from '../../../data/sites/recordings.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './RecordingActions.module.css';

interface Props {
  ids: RecordingIds;
  recording: Recording;
}

/** Buttons that keep a recording for longer, and that delete it. */
export function RecordingActions({ ids, recording }: Props) {
  const { recording: words, refusals } = useWords();
  const mayChange = useMayChange();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        <FavouriteButton ids={ids} recording={recording} />
        <Button isDisabled={!mayChange} onPress={() => setIsAsking(true)}>
          {words.remove}
        </Button>
      </div>
      {mayChange ? <FavouriteHint ids={ids} recording={recording} /> : <Hint>{refusals.owner}</Hint>}
      <RemoveDialog ids={ids} isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </div>
  );
}

function FavouriteButton({ ids, recording }: Props) {
  const { recording: words } = useWords();
  const mayChange = useMayChange();
  const { data: favourites } = useQuery(favouritesQuery(ids.site));
  const mark = useMutation({
    mutationFn: () => api.patchRecording({ path: pathOf(ids), body: { favourite: !recording.favourite } }),
    // Refreshes even after a refusal: others may have used up the quota of favourites meanwhile.
    onSettled: () => refreshRecordings(ids.site),
  });
  const isFull = favourites !== undefined && favourites.marked >= favourites.quota;
  return (
    <Button
      isDisabled={!mayChange || (isFull && !recording.favourite)}
      isPending={mark.isPending}
      onPress={() => mark.mutate()}
    >
      <Star aria-hidden size={16} fill={recording.favourite ? 'currentColor' : 'none'} />
      {recording.favourite ? words.unmark : words.mark}
    </Button>
  );
}

function FavouriteHint({ ids: { site }, recording }: Props) {
  const { recording: words } = useWords();
  const { data } = useQuery(favouritesQuery(site));
  if (!data) return null;
  const isFull = data.marked >= data.quota && !recording.favourite;
  return <Hint>{isFull ? words.full(data.quota) : words.favourites(data.marked, data.quota)}</Hint>;
}

function RemoveDialog({ ids, isOpen, onClose }: { ids: RecordingIds; isOpen: boolean; onClose: () => void }) {
  const { recording: words } = useWords();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => api.deleteRecording({ path: pathOf(ids) }),
    onSuccess: async () => {
      await navigate({ to: '/s/$site/recordings', params: { site: ids.site } });
      await refreshRecordings(ids.site);
    },
  });
  return (
    <ConfirmDialog
      title={words.removeTitle}
      isOpen={isOpen}
      action={words.remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>{words.removeAbout}</p>
    </ConfirmDialog>
  );
}
