export * from '../../schemas/validation.ts';
