/** Maximum amounts: a DECIMAL(24, 6) of the lake holds sums of many of them, and a double can represent their cents. */
export const MAX_AMOUNT = 1e12;
export const MAX_QUANTITY = 1e9;
