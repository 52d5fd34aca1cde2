import { Link } from '@tanstack/react-router';
import type { Recording } from '../../../data/sites/recordings.ts';
import type { Visit, VisitorDetail } from '../../../data/sites/visitors.ts';
import { useWords } from '../../../words/preferences.tsx';
import { useOrderText } from './useOrderText.ts';

interface Props {
  site: string;
  visitor: VisitorDetail;
  visit: Visit;
  /** Recordings of that visit. */
  recordings: readonly Recording[];
}

/** Shows the goals and orders of a visit, each linked to its moment in the recording if there is one. */
export function GoalsAndOrders({ site, visitor, visit, recordings }: Props) {
  const { visitor: words } = useWords();
  const orderText = useOrderText();
  const reached = visitor.goals.filter(({ visit_id }) => visit_id === visit.id);
  const placed = visitor.orders.filter(({ visit_id }) => visit_id === visit.id);
  if (reached.length === 0 && placed.length === 0) return visit.goals > 0 ? words.goalsOf(visit.goals) : '—';
  const moments = [
    ...reached.map(({ goal, title, occurred_at }) => ({
      key: `${goal} ${occurred_at}`,
      text: title ?? goal,
      occurred_at,
    })),
    ...placed.map((order) => ({
      key: `${order.transaction_id} ${order.status}`,
      text: orderText(order),
      occurred_at: order.occurred_at,
    })),
  ];
  return moments.map(({ key, text, occurred_at }) => {
    const recorded = recordedAt(recordings, Date.parse(occurred_at));
    return (
      <div key={key}>
        {recorded === null ? (
          text
        ) : (
          <Link
            to="/s/$site/recordings/$recording"
            params={{ site, recording: recorded.recording }}
            search={{ at: recorded.at }}
          >
            {text}
          </Link>
        )}
      </div>
    );
  });
}

/** Time before the moment, to show what led to it. */
const LEAD_SECONDS = 5;

/** Returns the recording that was running at a time, and the position in it in seconds. */
function recordedAt(recordings: readonly Recording[], moment: number): { recording: string; at: number } | null {
  const found = recordings.find(
    ({ started_at, ended_at }) => Date.parse(started_at) <= moment && moment <= Date.parse(ended_at),
  );
  if (!found) return null;
  const seconds = (moment - Date.parse(found.started_at)) / 1000;
  return { recording: found.id, at: Math.max(0, Math.floor(seconds) - LEAD_SECONDS) };
}
