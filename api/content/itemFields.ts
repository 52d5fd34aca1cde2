export * from '../../schemas/itemFields.ts';
