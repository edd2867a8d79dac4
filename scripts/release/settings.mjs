// What a release needs to know that is not in the repository itself. `npm run release` writes it into the manifest of the package that it packs.

/** Set to false once the scope of the package is registered (decision 58): npm refuses to publish a private package. */
export const isPrivate = true;

/** The address of the repository, as `git clone` takes it; a release that is not a dry run needs one. */
export const repository = '';

/** Where people read about the package and report faults. */
export const homepage = '';
export const issues = '';

export const keywords = ['api-server', 'control-plane', 'crd', 'envtest', 'kubernetes', 'plugins', 'redis'];

/** What the first release is compared with, as there is none before it: the commit that gave the package its name. */
export const firstBaseline = '208dd156';

/** The members that these settings give to package.json. */
export function publishedFields() {
  return {
    ...(isPrivate ? {private: true} : {}),
    ...(repository ? {repository: {type: 'git', url: repository}} : {}),
    ...(homepage ? {homepage} : {}),
    ...(issues ? {bugs: {url: issues}} : {}),
    keywords,
  };
}
