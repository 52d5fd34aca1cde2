import { describe, expect, it } from '@jest/globals';
import { isRefusedAttribute } from '../../../domain/people/refusedAttributes.ts';

describe('isRefusedAttribute', () => {
  it('recognises the names in upper or lower case, and nothing that only looks like them', () => {
    expect(
      ['email', 'Phone', 'NAME', 'first_name', 'Last_Name', 'middle_name', 'address', 'birth_date', 'passport'].every(
        isRefusedAttribute,
      ),
    ).toBe(true);
    expect(
      ['emails', 'e-mail', 'names', 'firstName', 'birthdate', ' name', '__proto__', 'constructor', ''].some(
        isRefusedAttribute,
      ),
    ).toBe(false);
  });
});
