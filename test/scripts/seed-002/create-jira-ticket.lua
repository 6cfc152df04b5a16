tool = {}

tool.name = "create_jira_ticket"
tool.description = "Creates a ticket that tracks an incident"
tool.parameters = {
    { name = "summary", type = "string", required = true, description = "What is wrong, in one line" },
    { name = "priority", type = "string", enum = { "P1", "P2", "P3" }, default = "P2", description = "How urgent it is" },
    { name = "labels", type = "array", items = { type = "string" }, required = false },
}

function tool.execute(params, context)
    local answer = http.post(context.config.url .. "/rest/api/3/issue", {
        headers = { Authorization = "Bearer " .. context.config.api_token },
        json = {
            fields = {
                summary = params.summary,
                priority = { name = params.priority },
                labels = params.labels or {},
            },
        },
    })
    if not answer.ok then
        error("Jira said " .. answer.status .. ": " .. answer.body)
    end
    local issue = json.parse(answer.body)
    log.info("created " .. issue.key .. " with " .. context.config.api_token)
    return { key = issue.key, url = context.config.url .. "/browse/" .. issue.key }
end

return tool
