/** Reports as files. */
export { makeOrQueueExport, type ExportResult, type RequestedExport } from './makeOrQueue.ts';
export { storeExport, type ExportContent, type ExportStore } from './storeExport.ts';
export { tableOf, type Cell, type Table } from './table.ts';
export { CONTENT_TYPES, writeTable } from './writeTable.ts';
