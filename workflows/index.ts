/**
 * The only entry of the workflow bundle: exports every workflow type under its file's name. The type of `retryDelivery`
 * is still `delivery`: running workflows, saved queries and the previous release know it by that name.
 */
export { item } from './item.ts';
export { retryDelivery as delivery } from './retryDelivery.ts';
export { expandOrders } from './expandOrders.ts';
export { rerunItems } from './rerunItems.ts';
export { recoverDeliveries } from './recoverDeliveries.ts';
export { importItems } from './importItems.ts';
export { linkUser } from './linkUser.ts';
export { deleteUser } from './deleteUser.ts';
export { mergeLake } from './lake/mergeLake.ts';
export { retainLake } from './lake/retainLake.ts';
export { deleteVisitors } from './deleteVisitors.ts';
export { buildExports } from './buildExports.ts';
export { startTrainings } from './startTrainings.ts';
export { trainProject } from './trainProject.ts';
