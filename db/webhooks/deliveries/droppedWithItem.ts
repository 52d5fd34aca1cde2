/** The deliveries that are not sent because their item has been deleted. */
import { IS_DROPPED_WITH_ITEM } from '../../../domain/webhooks/deliveryStates.ts';
import { textList } from '../../arrays.ts';

const EVENTS = Object.entries(IS_DROPPED_WITH_ITEM).flatMap(([event, isDropped]) => (isDropped ? [event] : []));

/** SQL: true if the delivery `d` is dropped because of its item `i`, which is null where there is none. */
export const DROPPED_WITH_ITEM = `(i.deleted is true and d.event in ${textList(EVENTS)})`;
