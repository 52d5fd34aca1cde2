/** Reports as files. */
export { storeExport, type ExportContent, type ExportStore } from './store.ts';
export { tableOf, type Cell, type Table } from './table.ts';
export { CONTENT_TYPES, writeTable } from './write.ts';
