import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../data/client.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Buttons } from '../../ui/buttons/Buttons.tsx';
import { Command } from '../../ui/dialogs/Command.tsx';
import { Modal } from '../../ui/dialogs/Modal.tsx';
import { Problem } from '../../ui/messages/Problem.tsx';
import { useWords } from '../../words/preferences.tsx';

/** Shows the snippet for a new site. It is not secret, and GET /sites/{id}/tag returns it again. */
export function NewSiteTag({ site }: { site: string }) {
  const { home, table } = useWords();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['sites', site, 'tag'],
    queryFn: async ({ signal }) => (await api.getSiteTag({ signal, path: { id: site } })).data,
  });
  const open = (): void => void navigate({ to: '/s/$site', params: { site } });
  return (
    <Modal title={home.newSite.made} isOpen onClose={open}>
      <p>{home.newSite.tagAbout}</p>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data?.snippet && <Command text={data.snippet} />}
      <Buttons>
        <Button kind="primary" onPress={open}>
          {home.newSite.open}
        </Button>
      </Buttons>
    </Modal>
  );
}
