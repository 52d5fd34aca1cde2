import type { Goal } from '../../../data/sites/goals.ts';
import type { Words } from '../../../words/en/index.ts';

/** Returns the condition of a goal as one line. */
export function conditionText({ code, type, match }: Goal, { what }: Words['goals']): string {
  switch (type) {
    case 'js':
      return what.js(code);
    case 'url':
      return what.url[match?.op ?? 'eq'](match?.value ?? '');
    case 'event':
      return what.event(match?.name ?? '');
    case 'form':
      return match?.form_id === undefined ? what.anyForm : what.form(match.form_id);
    case 'purchase':
      return what.purchase;
  }
}
