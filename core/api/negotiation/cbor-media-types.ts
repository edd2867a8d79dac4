/** One item of CBOR (RFC 8949). */
export const cborMediaType = 'application/cbor';
/** One item after the other (RFC 8742): watches. */
export const cborSequence = 'application/cbor-seq';
