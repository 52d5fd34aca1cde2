/** The operations that share the limit of output: recommendations and search. */
import { feedOperation } from './recommendFeed.ts';
import { nextOperation } from './recommendNext.ts';
import { popularOperation } from './recommendPopular.ts';
import { similarOperation } from './recommendSimilar.ts';
import { togetherOperation } from './recommendTogether.ts';
import { searchOperation, suggestOperation } from './search.ts';

export const outputOperations = [
  feedOperation,
  nextOperation,
  togetherOperation,
  popularOperation,
  similarOperation,
  searchOperation,
  suggestOperation,
];
