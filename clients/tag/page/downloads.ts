/** Extensions of links that save a file instead of opening a page. */
const DOWNLOADS =
  /\.(?:7z|aac|apk|avi|bz2|csv|deb|dmg|docx?|epub|exe|fb2|flac|gz|ics|iso|jar|key|m4[av]|mkv|mobi|mov|mp[34]|msi|numbers|od[pst]|ogg|pages|pdf|pkg|pptx?|rar|rpm|rtf|tar|tgz|torrent|txt|wav|webm|wm[av]|xlsx?|xml|xz|zip)$/i;

/** @param path the path of a link's address */
export function isDownload(path: string): boolean {
  return DOWNLOADS.test(path);
}
