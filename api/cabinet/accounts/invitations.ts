/** Invitations: the fields of a new one, and POST /invitations/accept. */
import Type from 'typebox';
import { acceptInvitation, isOpenInvitation, INVITATION_DAYS } from '../../../db/accounts/invitations.ts';
import { keyHash } from '../../../domain/accounts/keyFormats.ts';
import { dateTime, nullable, strictObject } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { definePublic } from '../cabinetOperation.ts';
import { hashPassword, password } from './userFields.ts';

export const invitationFields = {
  invitation: nullable(
    Type.String({
      description: 'Показывается один раз; передайте его приглашённому. null — приглашение не понадобилось',
    }),
  ),
  invitation_expires_at: nullable(dateTime()),
};

export const NO_INVITATION = { invitation: null, invitation_expires_at: null };
export const invitationExample = {
  invitation: `ai_${'A'.repeat(40)}`,
  invitation_expires_at: '2026-11-27T09:00:00.000Z',
};

/** Returns the fields of a new invitation, which are shown once. */
export function invitationOf(
  secret: string,
  { expiresAt }: { expiresAt: Date },
): { invitation: string; invitation_expires_at: string } {
  return { invitation: secret, invitation_expires_at: expiresAt.toISOString() };
}

export const acceptInvitationOperation = definePublic({
  method: 'post',
  path: '/invitations/accept',
  operationId: 'acceptInvitation',
  tag: 'session',
  summary: 'Принять приглашение и задать пароль',
  description: `Приглашение действует ${INVITATION_DAYS} дней и один раз, пока у пригласившего есть на это право; иначе 404. После этого можно войти: POST /login. Попытки ограничены по адресу. Если e-mail приглашения уже чей-то, ответ тот же, а учётная запись остаётся прежней.`,
  body: {
    schema: strictObject({ invitation: Type.String({ maxLength: 64 }), password }, { title: 'InvitationAccept' }),
    example: { invitation: invitationExample.invitation, password: 'correct horse battery' },
  },
  replies: {
    200: {
      description: 'Принято',
      schema: Type.Object({ accepted: Type.Boolean() }, { title: 'InvitationAccepted' }),
      example: { accepted: true },
    },
  },
  errors: [400, 404, 413, 422, 503],
  async handle({ body, peer }, deps) {
    await deps.checkLoginLimit(peer.ip, body.invitation);
    const hash = keyHash(body.invitation);
    // Checked before the slow hash, so that a stranger's guess costs little.
    if (!(await isOpenInvitation(deps.pool, hash))) throw notFound();
    if (!(await acceptInvitation(deps.pool, hash, await hashPassword(deps, body.password)))) throw notFound();
    return { status: 200, body: { accepted: true } };
  },
});
