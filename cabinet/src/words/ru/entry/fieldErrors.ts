/** Russian texts about rejected fields, by the code of the fault. */
import type { Words } from '../../en/index.ts';

export const fieldErrors: Words['fieldErrors'] = {
  codes: {
    required: 'Это нужно заполнить.',
    invalid_value: 'Такое значение не принимается.',
    invalid_type: 'Это значение не того вида.',
    too_long: 'Слишком длинно или слишком много.',
    unknown_field: 'Это неизвестно.',
    invalid_url: 'Нужен полный адрес https, доступный из интернета.',
    invalid_datetime: 'Это не дата со временем.',
    forbidden_address: 'Адрес ведёт внутрь и не разрешён.',
    pii_not_allowed: 'Личным данным здесь не место.',
    no_purchase_type: 'Ни один тип событий не считается покупкой.',
    unknown_filter: 'По этому нельзя отбирать.',
    too_old: 'Это слишком давно.',
    too_many: 'Слишком много.',
    unknown_dimension: 'По этому отчёты не группируются.',
    unknown_metric: 'Такого показателя нет.',
    unknown_segment: 'Такого сегмента больше нет.',
    incompatible: 'Этот показатель нельзя посчитать с такими группировками.',
    bad_date: 'Неверный период: он кончается раньше, чем начался, лежит в будущем или длиннее 25 месяцев.',
    bad_filter: 'Неверное условие: проверьте операцию, значения или регулярное выражение.',
  },
  other: 'Сервер этого не принял.',
};
