/** Whether a source, as a source map names it, is one that plugin authors step into: its text is in the map. Those of all others would be a quarter of the package. */
export const isShownSource = (source) => /^(?:\.\.\/)*(?:sdk|testing)\//.test(source);
