//! What the data of errors says.

use codewhale_mcp_protocol::{ElicitMode, ErrorObject, ResourceNotFoundData, code};

fn error(text: &str) -> ErrorObject {
    let error: ErrorObject = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&error).unwrap(), text);
    error
}

#[test]
fn data_is_read_for_the_code_it_belongs_to() {
    let missing =
        r#"{"code":-32021,"message":"m","data":{"requiredCapabilities":{"elicitation":{"url":{}}}}}"#;
    let capabilities = error(missing).required_capabilities().unwrap();
    assert!(!capabilities.elicitation.unwrap().has_form());
    assert!(error(&missing.replace("-32021", "-32020")).required_capabilities().is_none());

    let visit = r#"{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","message":"go","url":"https://a.example","elicitationId":"e"}]}}"#;
    let visits = error(visit).required_elicitations().unwrap();
    assert_eq!((visits[0].mode(), visits[0].elicitation_id.as_deref()), (ElicitMode::Url, Some("e")));

    let gone = error(r#"{"code":-32002,"message":"m","data":{"uri":"file:///x"}}"#);
    assert_eq!(gone.code, code::RESOURCE_NOT_FOUND);
    let data: ResourceNotFoundData = gone.data.unwrap().decode().unwrap();
    assert_eq!(data.uri.as_deref(), Some("file:///x"));
}

#[test]
fn data_of_another_form_is_no_data() {
    for data in ["null", "\"text\"", "{}", r#"{"supported":"2025-06-18"}"#, r#"{"elicitations":[1]}"#] {
        let text = format!(r#"{{"code":-32042,"message":"m","data":{data}}}"#);
        let error: ErrorObject = serde_json::from_str(&text).unwrap();
        assert!(error.supported_versions().is_empty() && error.required_elicitations().is_none(), "{data}");
    }
}
