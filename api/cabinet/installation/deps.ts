/** Values that only the process itself knows. */
export interface InstallationDeps {
  version: string;
  /** URL of the installation's namespace on Temporal's web page; null when it is not configured. */
  temporalUrl: string | null;
  /** Folders by the names under which they are shown. */
  folders: Readonly<Record<string, string>>;
  selectionUrls: readonly string[];
}
