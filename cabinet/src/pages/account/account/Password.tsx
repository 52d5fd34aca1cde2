import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { faultOfPassword } from '../../../data/newPassword.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { NewPasswordFields } from '../../../ui/fields/NewPasswordFields.tsx';
import { useWords } from '../../../words/preferences.tsx';

const EMPTY = { current: '', fresh: '', again: '' };

export function Password() {
  const words = useWords();
  const { password } = words.profile;
  const [entered, setEntered] = useState(EMPTY);
  const [isTried, setTried] = useState(false);
  const change = useMutation({
    mutationFn: () => api.changePassword({ body: { current_password: entered.current, password: entered.fresh } }),
    onSuccess: async () => {
      setEntered(EMPTY);
      setTried(false);
      // The other sessions have ended, and this one was replaced.
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const submit = (): void => {
    setTried(true);
    if (entered.current !== '' && faultOfPassword(entered) === null) change.mutate();
  };
  const currentFault = (): string | null => {
    if (isTried && entered.current === '') return words.fieldErrors.codes['required'] ?? null;
    return faultOf(change.error, 'current_password', words) === null ? null : password.wrong;
  };
  return (
    <Card title={password.title}>
      <Form onSubmit={submit} error={change.error} fields={['current_password', 'password']}>
        <Field
          label={password.current}
          type="password"
          autoComplete="current-password"
          maxLength={limits.changePassword_current_password}
          value={entered.current}
          onChange={(current) => setEntered({ ...entered, current })}
          fault={currentFault()}
        />
        <NewPasswordFields
          value={entered}
          onChange={(fresh) => setEntered({ ...entered, ...fresh })}
          isTried={isTried}
          fault={faultOf(change.error, 'password', words)}
        />
        <Buttons>
          <Button kind="primary" type="submit" isPending={change.isPending}>
            {password.change}
          </Button>
        </Buttons>
        {change.isSuccess && <p role="status">{password.changed}</p>}
      </Form>
    </Card>
  );
}
