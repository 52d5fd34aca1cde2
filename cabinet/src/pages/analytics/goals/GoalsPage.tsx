/** The goals of a site: their conditions and results. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { goalsQuery, refreshGoals, type Goal } from '../../../data/sites/goals.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import type { Action } from '../../../ui/buttons/ActionMenu.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { NewButton } from '../../../ui/buttons/NewButton.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { GoalTable } from './GoalTable.tsx';
import { NoGoals } from './NoGoals.tsx';

export function GoalsPage() {
  const { goals: words, table, refusals } = useWords();
  const { site } = useParams({ from: '/shell/s/$site/goals' });
  const { data, error, refetch } = useQuery(goalsQuery(site));
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const [deleting, setDeleting] = useState<Goal | null>(null);
  const toggle = useToggleGoal(site);
  const refusal = mayChange ? null : refusals.owner;
  const open = (code?: string): void => void navigate({ to: '/s/$site/goal', params: { site }, search: { code } });
  const actionsOf = (goal: Goal): Action[] => [
    { text: words.edit, onAction: () => open(goal.code) },
    {
      text: words.recordings,
      onAction: () => void navigate({ to: '/s/$site/recordings', params: { site }, search: { goal: goal.code } }),
    },
    { text: goal.enabled ? words.turnOff : words.turnOn, refusal, onAction: () => toggle.mutate(goal) },
    { text: words.remove, refusal, isDanger: true, onAction: () => setDeleting(goal) },
  ];
  const make = <NewButton text={words.make} isDisabled={!mayChange} onPress={() => open()} />;
  return (
    <Page title={words.title} actions={data?.length !== 0 && make}>
      <Card title={words.list}>
        <Hint>{mayChange ? words.about : `${words.about} ${refusals.owner}`}</Hint>
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {toggle.error && <Problem error={toggle.error} />}
        {!data && !error && <p role="status">{table.loading}</p>}
        {data?.length === 0 && <NoGoals site={site} make={make} />}
        {data && data.length > 0 && <GoalTable site={site} goals={data} actionsOf={actionsOf} />}
      </Card>
      <DeleteGoalDialog site={site} goal={deleting} onClose={() => setDeleting(null)} />
    </Page>
  );
}

/** Returns a mutation that turns a goal on or off and leaves the rest unchanged. */
function useToggleGoal(site: string) {
  return useMutation({
    mutationFn: async ({ code, enabled }: Goal) => {
      // The list may be older than what somebody has just saved.
      const goals = await queryClient.fetchQuery({ ...goalsQuery(site), staleTime: 0 });
      const newest = goals.find((goal) => goal.code === code);
      if (!newest) return;
      const { code: _code, ...goal } = newest;
      await api.putGoal({ path: { id: site, code }, body: { ...goal, enabled: !enabled } });
    },
    onSuccess: () => refreshGoals(site),
  });
}

function DeleteGoalDialog({ site, goal, onClose }: { site: string; goal: Goal | null; onClose: () => void }) {
  const { goals: words } = useWords();
  const remove = useMutation({
    mutationFn: (code: string) => api.deleteGoal({ path: { id: site, code } }),
    // Somebody else may have deleted it first.
    onError: () => refreshGoals(site),
    onSuccess: async () => {
      await refreshGoals(site);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={words.removeTitle(goal?.title ?? '')}
      isOpen={goal !== null}
      action={words.remove}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => goal && remove.mutate(goal.code)}
      onClose={onClose}
    >
      <p>{words.removeAbout}</p>
    </ConfirmDialog>
  );
}
