/** The texts of the delivery journal, in the language of the cabinet. There is no other table of them. */
import { OBSTACLES, type DeliveryErrorCode, type Obstacle } from './deliveryStates.ts';

/** Why a delivery was dropped. */
export const OBSTACLE_PHRASES: Record<Obstacle, string> = {
  project: 'проект не активен',
  webhook: 'вебхук выключен',
  item: 'объект удалён',
  backlog: 'у вебхука слишком много недоставленных событий',
  secret: 'секрет подписи не читается: выпустите новый',
};

/** Returns the obstacle of a phrase of the journal; null for any other phrase. */
export function obstacleOf(phrase: string | null): Obstacle | null {
  return OBSTACLES.find((obstacle) => OBSTACLE_PHRASES[obstacle] === phrase) ?? null;
}

const ATTEMPT_PHRASES: Record<DeliveryErrorCode, string> = {
  timeout: 'полный ответ не пришёл вовремя',
  connection: 'соединение не установлено или прервалось',
  tls: 'защищённое соединение не установлено',
  dns: 'имя узла не разрешается',
  http_status: 'неожиданный код ответа',
  redirect: 'ответ оказался перенаправлением',
  forbidden_address: 'адрес запрещён',
};

/** Code names of Node and OpenSSL that show what to fix in a certificate. */
const TLS_PHRASES: Record<string, string> = {
  CERT_HAS_EXPIRED: 'срок действия сертификата истёк',
  CERT_NOT_YET_VALID: 'сертификат ещё не действует',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'сертификат самоподписанный',
  SELF_SIGNED_CERT_IN_CHAIN: 'цепочка сертификатов ведёт к неизвестному центру',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'цепочка сертификатов неполна или её центр неизвестен',
  UNABLE_TO_GET_ISSUER_CERT: 'цепочка сертификатов неполна или её центр неизвестен',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'цепочка сертификатов неполна или её центр неизвестен',
  ERR_TLS_CERT_ALTNAME_INVALID: 'сертификат выдан другому имени узла',
};

/**
 * Returns the phrase for the error of an attempt.
 * @param about the status of the response, or the code name of the system's error (ECONNREFUSED)
 */
export function attemptPhrase(
  code: DeliveryErrorCode,
  about: { status: number | null; detail: string | null },
): string {
  const detail = about.detail === null ? about.status : (TLS_PHRASES[about.detail] ?? about.detail);
  return detail === null ? ATTEMPT_PHRASES[code] : `${ATTEMPT_PHRASES[code]}: ${detail}`;
}
