/** The signs that mark a robot; a disabled one marks nobody. */
export interface RobotRules {
  user_agents: boolean;
  frequency: boolean;
  no_javascript: boolean;
  data_centres: boolean;
}

export const DEFAULT_ROBOT_RULES: Readonly<RobotRules> = {
  user_agents: true,
  frequency: true,
  no_javascript: true,
  data_centres: true,
};
