/** The goals of the generated site, one of each type, in the form of PUT /sites/{id}/goals/{code}. */
import type { GoalType, GoalMatch } from '../../../domain/sites/goalDefinition.ts';

export interface TrafficGoal {
  code: string;
  title: string;
  type: GoalType;
  match: GoalMatch | null;
  value: number | null;
}

export const TRAFFIC_GOALS: readonly TrafficGoal[] = [
  { code: 'callback', title: 'Заказ звонка', type: 'js', match: null, value: 300 },
  { code: 'lead', title: 'Заявка, подтверждённая менеджером', type: 'js', match: null, value: null },
  { code: 'cart', title: 'Товар в корзине', type: 'event', match: { name: 'add_to_cart' }, value: null },
  {
    code: 'checkout',
    title: 'Оформление заказа',
    type: 'url',
    match: { op: 'starts', value: '/checkout' },
    value: null,
  },
  { code: 'newsletter', title: 'Подписка на рассылку', type: 'form', match: { form_id: 'newsletter' }, value: 50 },
  { code: 'order', title: 'Покупка', type: 'purchase', match: null, value: null },
];
