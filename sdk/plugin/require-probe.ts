/** Another object in each copy of this module. */
export const marker = {};
