/**
 * Lines of orders, whose texts are a shop's own but may contain what a buyer wrote: an engraving, the name of a gift
 * card.
 */
import type { CollectedProduct } from '../collect/collected.ts';
import { withoutContacts, withoutEmails } from './contactsInTexts.ts';

export function withoutPersonalTexts(product: CollectedProduct): CollectedProduct {
  return {
    ...product,
    id: product.id && withoutEmails(product.id),
    name: product.name && withoutContacts(product.name),
    category: product.category && withoutContacts(product.category),
    brand: product.brand && withoutContacts(product.brand),
    variant: product.variant && withoutContacts(product.variant),
  };
}
