/** `backup note`: the last step of a backup. */
import { recordBackup } from '../../../db/installation/serverState.ts';
import type { Command } from './command.ts';

export const backupCommands: readonly Command[] = [
  {
    name: 'backup note',
    usage: '',
    about: 'records that a backup was made just now, for the alert on the age of the last one',
    options: {},
    async run({ pool }) {
      await recordBackup(pool);
      return ['the backup is recorded'];
    },
  },
];
