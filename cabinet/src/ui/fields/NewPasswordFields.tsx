import { limits } from '../../data/apiLimits.ts';
import { faultOfPassword, type NewPassword } from '../../data/newPassword.ts';
import { useWords } from '../../words/preferences.tsx';
import { Field } from './Field.tsx';

interface Props {
  value: NewPassword;
  onChange: (value: NewPassword) => void;
  /** Whether submission was attempted; no faults are shown before that. */
  isTried: boolean;
  /** The server's fault. */
  fault?: string | null;
}

/** Asks for a new password twice. */
export function NewPasswordFields({ value, onChange, isTried, fault = null }: Props) {
  const { passwords: password } = useWords();
  const wrong = isTried ? faultOfPassword(value) : null;
  return (
    <>
      <Field
        label={password.fresh}
        type="password"
        autoComplete="new-password"
        hint={password.hint}
        maxLength={limits.changePassword_password}
        value={value.fresh}
        onChange={(fresh) => onChange({ ...value, fresh })}
        fault={wrong === 'short' ? password.short : fault}
      />
      <Field
        label={password.again}
        type="password"
        autoComplete="new-password"
        maxLength={limits.changePassword_password}
        value={value.again}
        onChange={(again) => onChange({ ...value, again })}
        fault={wrong === 'differ' ? password.differ : null}
      />
    </>
  );
}
