/** Finds out why a receiver rejects a signature. The received data is compared in the browser and sent nowhere. */
import { useParams } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { BackLink } from '../../../ui/buttons/BackLink.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { CodeArea } from '../../../ui/fields/CodeArea.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { checkSignature, type Verdict } from './signatureMistakes.ts';
import styles from './SignaturePage.module.css';

export function SignaturePage() {
  const { signature: words } = useWords();
  const ids = useParams({ from: '/shell/p/$project/webhooks/$webhook/signature' });
  const [received, setReceived] = useState({ secret: '', headers: '', body: '' });
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const write = (part: Partial<typeof received>): void => {
    setReceived({ ...received, ...part });
    setVerdict(null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void checkSignature(received, Date.now()).then(setVerdict);
  };
  // The Web Cryptography API is missing on a page loaded over plain http from another machine.
  const canVerify = isSecureContext;
  const back = (
    <BackLink to="/p/$project/webhooks/$webhook" params={ids}>
      {words.back}
    </BackLink>
  );
  return (
    <Page title={words.title} above={back} about={words.about}>
      <form className={styles.form} onSubmit={submit}>
        <Field
          label={words.secret}
          value={received.secret}
          onChange={(secret) => write({ secret })}
          autoComplete="off"
          spellCheck="false"
          isRequired
        />
        <CodeArea
          label={words.headers}
          hint={words.headersHint}
          rows={6}
          value={received.headers}
          onChange={(headers) => write({ headers })}
        />
        <CodeArea label={words.body} rows={8} value={received.body} onChange={(body) => write({ body })} />
        {!canVerify && <Notice tone="warn">{words.noCrypto}</Notice>}
        <Buttons>
          <Button kind="primary" type="submit" isDisabled={!canVerify}>
            {words.check}
          </Button>
        </Buttons>
        {verdict && <Finding verdict={verdict} />}
      </form>
    </Page>
  );
}

function Finding({ verdict: { isRight, findings } }: { verdict: Verdict }) {
  const { signature: words } = useWords();
  return (
    <Notice tone={isRight ? 'good' : 'bad'} title={isRight ? words.right : words.wrong}>
      {findings.map((finding) => (
        <p key={finding}>{words.findings[finding]}</p>
      ))}
    </Notice>
  );
}
