/** An item with the items that people keep using together with it, the closest first. */
export interface ItemCompanions {
  item: string;
  companions: readonly string[];
}
