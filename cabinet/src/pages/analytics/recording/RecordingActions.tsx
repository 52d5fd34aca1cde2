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
  type RecordingPlace,
} from '../../../data/sites/recordings.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './RecordingActions.module.css';

interface Props {
  place: RecordingPlace;
  recording: Recording;
}

/** Buttons that keep a recording for longer, and that delete it. */
export function RecordingActions({ place, recording }: Props) {
  const { recording: words, refusals } = useWords();
  const mayChange = useMayChange();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        <FavouriteButton place={place} recording={recording} />
        <Button isDisabled={!mayChange} onPress={() => setIsAsking(true)}>
          {words.remove}
        </Button>
      </div>
      {mayChange ? <FavouriteHint place={place} recording={recording} /> : <Hint>{refusals.owner}</Hint>}
      <RemoveDialog place={place} isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </div>
  );
}

function FavouriteButton({ place, recording }: Props) {
  const { recording: words } = useWords();
  const mayChange = useMayChange();
  const { data: favourites } = useQuery(favouritesQuery(place.site));
  const mark = useMutation({
    mutationFn: () => api.patchRecording({ path: pathOf(place), body: { favourite: !recording.favourite } }),
    // Even after a refusal: others may have marked recordings meanwhile.
    onSettled: () => refreshRecordings(place.site),
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

function FavouriteHint({ place: { site }, recording }: Props) {
  const { recording: words } = useWords();
  const { data } = useQuery(favouritesQuery(site));
  if (!data) return null;
  const isFull = data.marked >= data.quota && !recording.favourite;
  return <Hint>{isFull ? words.full(data.quota) : words.favourites(data.marked, data.quota)}</Hint>;
}

function RemoveDialog({ place, isOpen, onClose }: { place: RecordingPlace; isOpen: boolean; onClose: () => void }) {
  const { recording: words } = useWords();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => api.deleteRecording({ path: pathOf(place) }),
    onSuccess: async () => {
      await navigate({ to: '/s/$site/recordings', params: { site: place.site } });
      await refreshRecordings(place.site);
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
