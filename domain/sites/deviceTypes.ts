/** Types of the devices of visits. */
export const DEVICE_TYPES = ['desktop', 'mobile', 'tablet', 'tv', 'console', 'other'] as const;
