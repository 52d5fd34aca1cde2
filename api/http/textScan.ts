export * from '../../schemas/textScan.ts';
