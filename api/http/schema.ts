export * from '../../schemas/schema.ts';
