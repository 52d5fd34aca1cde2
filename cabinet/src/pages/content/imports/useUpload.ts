import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AttuneError } from '../../../data/client.ts';
import { sendFile } from '../../../data/items/imports.ts';
import { checkFile, type Refusal } from './checkFile.ts';

export interface Upload {
  /** The file being sent. */
  name: string | null;
  /** Why the last file was not sent, or not accepted. */
  refusal: Refusal | 'full' | null;
  error: Error | null;
  send: (files: readonly File[]) => void;
  cancel: () => void;
}

/** Sends a file after checking its format. */
export function useUpload(project: string, onSent: (id: string) => void): Upload {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [sending, setSending] = useState<{ name: string; abort: AbortController } | null>(null);
  const { mutate, error, reset } = useMutation({
    mutationFn: async (file: File) => {
      const checked = await checkFile(file);
      if ('refusal' in checked) return checked;
      const abort = new AbortController();
      setSending({ name: file.name, abort });
      return sendFile(project, file, checked.format, abort.signal);
    },
    onSuccess: (sent) => 'refusal' in sent && setRefusal(sent.refusal),
    onSettled: () => setSending(null),
  });
  const send = (files: readonly File[]): void => {
    const [file] = files;
    reset();
    setRefusal(files.length > 1 ? 'several' : null);
    if (!file || files.length > 1) return;
    // Not called for a user who has opened another page while a large file was being sent.
    mutate(file, { onSuccess: (sent) => 'id' in sent && onSent(sent.id) });
  };
  const isFull = error instanceof AttuneError && error.details.some(({ code }) => code === 'invalid_value');
  // The user who cancelled it needs no message.
  const isStopped = error?.name === 'AbortError';
  return {
    name: sending?.name ?? null,
    refusal: isFull ? 'full' : refusal,
    error: isFull || isStopped ? null : error,
    send,
    cancel: () => sending?.abort.abort(),
  };
}
