/** The only entry of the workflow bundle: exports every workflow type under its file's name. */
export { item } from './item.ts';
export { delivery } from './delivery.ts';
export { expandOrders } from './expandOrders.ts';
export { rerunItems } from './rerunItems.ts';
export { recoverDeliveries } from './recoverDeliveries.ts';
export { importItems } from './importItems.ts';
export { linkUser } from './linkUser.ts';
export { deleteUser } from './deleteUser.ts';
export { mergeLake } from './mergeLake.ts';
export { retainLake } from './retainLake.ts';
export { deleteVisitors } from './deleteVisitors.ts';
export { buildExports } from './buildExports.ts';
export { startTrainings } from './startTrainings.ts';
export { trainProject } from './trainProject.ts';
