import { Upload } from 'lucide-react';
import { useEffect } from 'react';
import { DropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Text } from 'react-aria-components/Text';
import { Button } from '../../../ui/buttons/Button.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './ImportsPage.module.css';

const ACCEPTED = ['.jsonl', '.ndjson', '.json', '.csv', '.tsv', '.txt', 'application/x-ndjson', 'text/csv'];

/** Zone where a file is dropped, pasted, or chosen with a button. */
export function FileDropZone({
  isDisabled,
  onFiles,
}: {
  isDisabled: boolean;
  onFiles: (files: readonly File[]) => void;
}) {
  const { imports } = useWords();
  useEffect(preventFileNavigation, []);
  return (
    <DropZone
      className={styles.zone ?? ''}
      isDisabled={isDisabled}
      onDrop={({ items }) => {
        const files = items.filter((item) => item.kind === 'file');
        void Promise.all(files.map((item) => item.getFile())).then(onFiles);
      }}
    >
      <Upload aria-hidden size={28} strokeWidth={1.5} />
      <Text slot="label">
        <strong>{imports.drop}</strong>
      </Text>
      <FileTrigger acceptedFileTypes={ACCEPTED} onSelect={(files) => onFiles([...(files ?? [])])}>
        <Button kind="primary" isDisabled={isDisabled}>
          {imports.choose}
        </Button>
      </FileTrigger>
      <p>{imports.formats}</p>
    </DropZone>
  );
}

/** Prevents the browser from replacing the page with a file that is dropped beside the zone. */
function preventFileNavigation(): () => void {
  const prevent = (event: Event): void => event.preventDefault();
  addEventListener('dragover', prevent);
  addEventListener('drop', prevent);
  return () => {
    removeEventListener('dragover', prevent);
    removeEventListener('drop', prevent);
  };
}
